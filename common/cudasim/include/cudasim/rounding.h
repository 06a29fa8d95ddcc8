// Arithmetic with a rounding other than to nearest; the processor's mode is switched and restored.
#pragma once

enum cudasimRounding { cudasimNearest, cudasimTowardZero, cudasimUp, cudasimDown };

extern "C" {

float cudasimAddF(cudasimRounding rounding, float a, float b);
float cudasimMultiplyF(cudasimRounding rounding, float a, float b);
float cudasimDivideF(cudasimRounding rounding, float a, float b);
float cudasimRootF(cudasimRounding rounding, float a);
float cudasimFmaF(cudasimRounding rounding, float a, float b, float c);
double cudasimAddD(cudasimRounding rounding, double a, double b);
double cudasimMultiplyD(cudasimRounding rounding, double a, double b);
double cudasimDivideD(cudasimRounding rounding, double a, double b);
double cudasimRootD(cudasimRounding rounding, double a);
double cudasimFmaD(cudasimRounding rounding, double a, double b, double c);
float cudasimDoubleToFloat(cudasimRounding rounding, double a);
float cudasimLongToFloat(cudasimRounding rounding, long long a);
float cudasimUnsignedToFloat(cudasimRounding rounding, unsigned long long a);
double cudasimLongToDouble(cudasimRounding rounding, long long a);
double cudasimUnsignedToDouble(cudasimRounding rounding, unsigned long long a);

}  // extern "C"

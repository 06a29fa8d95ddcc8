// NVTX: marks and ranges for NVIDIA's profilers.  There are none here, so all functions do nothing.
#pragma once

#include <stddef.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((unsigned short)sizeof(nvtxEventAttributes_t))

typedef unsigned long long nvtxRangeId_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2
} nvtxMessageType_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_t {
  unsigned short version;
  unsigned short size;
  unsigned category;
  int colorType;
  unsigned color;
  int payloadType;
  int reserved0;
  union {
    unsigned long long ullValue;
    long long llValue;
    double dValue;
  } payload;
  int messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

static inline void nvtxMarkA(const char* text) { (void)text; }
static inline void nvtxMarkEx(const nvtxEventAttributes_t* event) { (void)event; }
static inline int nvtxRangePushA(const char* text) { return (void)text, 0; }
static inline int nvtxRangePushEx(const nvtxEventAttributes_t* event) { return (void)event, 0; }
static inline int nvtxRangePop(void) { return 0; }
static inline nvtxRangeId_t nvtxRangeStartA(const char* text) { return (void)text, 0; }
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
  return (void)event, 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t range) { (void)range; }
static inline void nvtxNameCategoryA(unsigned category, const char* text) {
  (void)category, (void)text;
}
static inline void nvtxNameOsThreadA(unsigned thread, const char* text) {
  (void)thread, (void)text;
}
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA

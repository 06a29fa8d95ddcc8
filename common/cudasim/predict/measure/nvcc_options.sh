# To be sourced: how programs are compiled for a GPU, and what ncu measures.
OPTIONS=(-std=c++20 -O3 -I. -gencode=arch=compute_90,code=sm_90)
# Launches come to timed_launches.cu first.
WRAPPED=()
for function in __cudaLaunchKernel cudaLaunchKernel cudaLaunchCooperativeKernel __cudaGetKernel \
  __cudaRegisterFunction; do
  WRAPPED+=(-Xlinker --wrap=$function)
done
NCU_METRICS=gpu__time_duration.sum
for unit in sm__throughput l1tex__throughput lts__throughput gpu__dram_throughput; do
  NCU_METRICS+=,$unit.avg.pct_of_peak_sustained_elapsed
done
NCU_METRICS+=,smsp__inst_executed.sum,smsp__issue_active.avg.pct_of_peak_sustained_active
NCU_METRICS+=,sm__warps_active.avg.pct_of_peak_sustained_active
NCU_METRICS+=,lts__t_sectors_srcunit_tex.sum,dram__bytes_read.sum,dram__bytes_write.sum
NCU_METRICS+=,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,launch__registers_per_thread
NCU_METRICS+=,sm__cycles_elapsed.max

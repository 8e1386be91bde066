$ export A='
$(( `NCCL_X=1 mpirun -x NCCL_DEBUG="${X:-$(echo }" << E
E2

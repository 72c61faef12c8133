#!/bin/sh
#SBATCH --ntasks=4 --cpus-per-task=8
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
srun --cpu-bind=cores /opt/blitz/bin/blitz-run ./solver input.dat

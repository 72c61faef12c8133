# Sourced: the rooms of src/ and of compat/omp/, from the ground up. What is in one may include and call what is in itself
# and in those before it. layers.sh looks at the includes, calls.sh at the calls.
src_rooms='base os env wait fiber sched team pool api algo'
omp_rooms='base affinity icv tool task sync loop team api'
# But for a thread's first call, which makes its initial thread, and for headers of data alone: tasks, members and teams.
data='task/task(group)?|team/member|team/team_data'
excepted=": must not refer to bomp_self_slow |: [a-z]+ must not include omp/($data)\\.h,"

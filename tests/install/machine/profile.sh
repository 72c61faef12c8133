# In ~/.profile, or in the module file of a cluster.
export LD_LIBRARY_PATH=/opt/blitz/lib/blitz${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

# As root. ldconfig reads these files in the order of their names, so ours precedes the system's.
echo /opt/blitz/lib/blitz/ldconfig > /etc/ld.so.conf.d/00-blitz.conf
ldconfig

# As root. Folders are searched in the order of these files' names: ours comes before the system's.
echo /opt/blitz/lib/blitz/ldconfig > /etc/ld.so.conf.d/00-blitz.conf
ldconfig

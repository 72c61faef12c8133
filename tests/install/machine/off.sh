# As root.
rm /etc/ld.so.conf.d/00-blitz.conf
ldconfig

# In the activated environment. The existing file is kept as NAME.before.
for name in libgomp.so.1 libomp.so libiomp5.so; do
  file=$CONDA_PREFIX/lib/$name
  [ -e "$file" ] && [ ! -L "$file.before" ] && [ ! -e "$file.before" ] || continue
  mv "$file" "$file.before"
  ln -s /opt/blitz/lib/blitz/libgomp.so.1 "$file"
done

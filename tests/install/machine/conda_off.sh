for name in libgomp.so.1 libomp.so libiomp5.so; do
  file=$CONDA_PREFIX/lib/$name
  [ ! -e "$file.before" ] || mv "$file.before" "$file"
done

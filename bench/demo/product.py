"""Products of matrices of 400 x 400 by numpy, a hundred and fifty of them: prints a number that all of them decide."""
import numpy

matrix = numpy.random.RandomState(1).rand(400, 400)
step = matrix / numpy.linalg.norm(matrix)
for _ in range(150):
    matrix = matrix @ step
    matrix /= matrix.max()
print(f"{matrix.sum():.6e}")

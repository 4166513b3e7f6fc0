/** Who uses it at the moment. */
let users = 0

/**
 * Loads esbuild for some work, and ends its process with the last that is done: the process never gives back what it has taken,
 * which are hundreds of megabytes after a build of the panel.
 */
export async function withEsbuild<T>(work: (esbuild: typeof import('esbuild')) => Promise<T>): Promise<T> {
  users++
  const esbuild = await import('esbuild')
  try {
    return await work(esbuild)
  } finally {
    users--
    if (users === 0) await esbuild.stop()
  }
}

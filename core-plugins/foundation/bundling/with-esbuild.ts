/** How many callers use esbuild at the moment. */
let users = 0

/**
 * Loads esbuild for some work, and ends its process when the last caller is done: the process never frees the memory
 * that it has allocated, which is hundreds of megabytes after a build of the panel.
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

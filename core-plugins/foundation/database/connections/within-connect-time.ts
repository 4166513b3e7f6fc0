import { DatabaseError } from '../database-error.ts'

/**
 * Limits the wait for a connection, regardless of the driver's own limit.
 * @throws DatabaseError of kind `unavailable`
 */
export async function withinConnectTime<T>(connecting: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    const error = new DatabaseError(
      'unavailable',
      `the database accepted no connection within ${timeoutMs} ms`,
    )
    timer = setTimeout(() => reject(error), timeoutMs)
  })
  try {
    return await Promise.race([connecting, tooLate])
  } finally {
    clearTimeout(timer)
    connecting.catch(() => undefined)
  }
}

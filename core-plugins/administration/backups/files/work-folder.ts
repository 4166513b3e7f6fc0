import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/**
 * Unfinished files, and files that this process has downloaded temporarily. Several processes may share the
 * folder.
 */
export interface WorkFolder {
  /** A unique path for a new file. */
  newPartial(): Promise<string>
  discard(path: string): Promise<void>
  /** Removes the leftovers of killed processes. */
  removeLeftovers(): Promise<void>
  /** The same, before this process has any file there. */
  removeLeftoversAtStart(): Promise<void>
}

/** `<random>.<host>.<process>.partial`; the checksums of an archive that is being made are next to it. */
const partial = /^[\da-f]{24}(?:\.([\w-]+)\.(\d+))?\.partial(?:\.sums)?$/
/** A file not written to for this long belongs to a backup or upload that is over. */
const abandonedAfterMs = 6 * 60 * 60_000

const host = hostname().replace(/[^\w-]/g, '-') || 'host'

export function createWorkFolder(directory: string): WorkFolder {
  const pathOf = (fileName: string) => join(directory, fileName)

  async function isAbandoned(name: string): Promise<boolean> {
    // Another process may just have removed it.
    const found = await stat(pathOf(name)).catch(() => undefined)
    return found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs
  }

  async function removeLeftovers(isLeft: (owner: number) => boolean): Promise<void> {
    for (const name of await readdir(directory).catch(() => [])) {
      // Complete files without a record stay: the database may be new, and they may be all that is left of
      // the old one.
      const [isPartial, ownerHost, owner] = partial.exec(name) ?? []
      if (isPartial === undefined) continue
      const isOfTheDead = ownerHost === host && isLeft(Number(owner))
      if (isOfTheDead || (await isAbandoned(name))) await rm(pathOf(name), { force: true })
    }
  }

  return {
    async newPartial() {
      await mkdir(directory, { recursive: true })
      return pathOf(`${randomBytes(12).toString('hex')}.${host}.${process.pid}.partial`)
    },
    discard: (path) => rm(path, { force: true }),
    removeLeftovers: () => removeLeftovers((owner) => !isAlive(owner)),
    // In a container a process often has the same id as its predecessor.
    removeLeftoversAtStart: () => removeLeftovers((owner) => owner === process.pid || !isAlive(owner)),
  }
}

/** Of a process on this machine. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

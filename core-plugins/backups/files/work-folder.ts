import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Files that are not complete, or that this process has fetched for a while. Several processes may share the folder. */
export interface WorkFolder {
  /** Opens the way for a new file, which is nobody else's. */
  newPartial(): Promise<string>
  discard(path: string): Promise<void>
  /** Removes what processes left behind that were killed. */
  sweep(): Promise<void>
  /** The same, before this process has a file there. */
  sweepAtStart(): Promise<void>
}

/** `<random>.<host>.<process>.partial`; the checksums of an archive that is being made stand beside it. */
const partial = /^[\da-f]{24}(?:\.([\w-]+)\.(\d+))?\.partial(?:\.sums)?$/
/** Nobody has written to a file for so long: its backup or upload is over. */
const abandonedAfterMs = 6 * 60 * 60_000

const host = hostname().replace(/[^\w-]/g, '-') || 'host'

export function createWorkFolder(directory: string): WorkFolder {
  const pathOf = (fileName: string) => join(directory, fileName)

  async function isAbandoned(name: string): Promise<boolean> {
    // Another process may have removed it just now.
    const found = await stat(pathOf(name)).catch(() => undefined)
    return found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs
  }

  async function sweep(isLeft: (owner: number) => boolean): Promise<void> {
    for (const name of await readdir(directory).catch(() => [])) {
      // Complete files without a record stay: the database may be new, and they all that is left of the old one.
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
    sweep: () => sweep((owner) => !isAlive(owner)),
    // In a container a process often has the number of the one that it follows.
    sweepAtStart: () => sweep((owner) => owner === process.pid || !isAlive(owner)),
  }
}

/** Of a process of this machine. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

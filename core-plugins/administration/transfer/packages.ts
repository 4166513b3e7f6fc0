import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import { type ApplyDeps, applyPackage } from './apply/apply-package.ts'
import type { ApplyResult } from './apply-result.ts'
import type { PackageFile } from './package/package-file.ts'
import type { ReceivedFolder } from './package/received-folder.ts'

/** The state of a received package. */
export interface PackageState {
  /** The number of bytes received so far. */
  readonly received: number
  /** Null until the package is applied. */
  readonly result: ApplyResult | null
}

/** The packages that other environments send to be applied here. */
export interface Packages {
  state(id: string): Promise<PackageState>
  /** @throws AppError 409 with the offset to continue at, 413 */
  append(id: string, offset: number, source: Readable): Promise<PackageState>
  /**
   * Begins to apply a package, or waits for one that is being applied. If that takes longer than proxies wait, the state has no
   * result yet, and the client repeats the request. See `applyPackage`.
   */
  apply(id: string, caller: Caller): Promise<PackageState>
  remove(id: string): Promise<void>
}

interface Caller {
  readonly principal: Principal
  readonly ip?: string | undefined
}

export interface PackagesDeps {
  readonly received: ReceivedFolder
  readonly applying: ApplyDeps
  readonly open: (path: string) => PackageFile
}

/** Proxies give up after a minute, some after half of one. */
const waitMs = 20_000
/** How long an error is kept for a client that repeats the request. */
const errorKeptMs = 5 * 60_000

export function createPackages({ received: folder, applying, open }: PackagesDeps): Packages {
  /** The packages that this process is applying. */
  const running = new Map<string, Promise<ApplyResult>>()

  async function state(id: string): Promise<PackageState> {
    const known = await applying.packages.find(id)
    return { received: await folder.received(id), result: known?.result ?? null }
  }

  async function run(id: string, caller: Caller): Promise<ApplyResult> {
    try {
      const applied = await applyPackage(applying, { id, file: open(folder.pathOf(id)), ...caller })
      await folder.remove([id])
      return applied
    } catch (error) {
      // A refused package is useless: the content from which it was computed has changed.
      if (error instanceof AppError && error.status < 500) await folder.remove([id])
      throw error
    }
  }

  function begin(id: string, caller: Caller): Promise<ApplyResult> {
    const work = run(id, caller)
    running.set(id, work)
    const forget = () => running.delete(id)
    work.then(forget, () => setTimeout(forget, errorKeptMs).unref())
    return work
  }

  return {
    state,
    async append(id, offset, source) {
      await folder.append(id, offset, source)
      return state(id)
    },
    async apply(id, caller) {
      const before = await state(id)
      if (before.result !== null) return before
      const begun = running.get(id)
      if (begun === undefined && before.received === 0) throw AppError.notFound(`package ${id}`)
      const work = begun ?? begin(id, caller)
      const isOver = new AbortController()
      const late = delay(waitMs, null, { signal: isOver.signal, ref: false }).catch(() => null)
      try {
        const result = await Promise.race([work, late])
        return { received: before.received, result }
      } catch (error) {
        // The package may be sent and applied again.
        running.delete(id)
        throw error
      } finally {
        isOver.abort()
      }
    },
    remove: (id) => folder.remove([id]),
  }
}

import type { Readable } from 'node:stream'
import { AppError, type Principal } from '../http/http.ts'
import { type ApplyDeps, applyPackage } from './apply/apply-package.ts'
import type { ApplyResult } from './apply-result.ts'
import type { PackageFolder } from './package/package-folder.ts'

/** How far a package is. */
export interface PackageState {
  /** Bytes. */
  readonly received: number
  /** Null until it is applied. */
  readonly result: ApplyResult | null
}

/** The packages that others send to be applied here. */
export interface Packages {
  state(id: string): Promise<PackageState>
  /** @throws AppError 409 with the offset to go on at, 413 */
  append(id: string, offset: number, source: Readable): Promise<PackageState>
  /** See `applyPackage`. */
  apply(
    id: string,
    caller: { readonly principal: Principal; readonly ip?: string | undefined },
  ): Promise<ApplyResult>
  remove(id: string): Promise<void>
}

export function createPackages(folder: PackageFolder, deps: ApplyDeps): Packages {
  const writing = new Set<string>()

  async function state(id: string): Promise<PackageState> {
    const known = await deps.packages.find(id)
    return { received: await folder.received(id), result: known?.result ?? null }
  }

  return {
    state,
    async append(id, offset, source) {
      if (writing.has(id)) throw new AppError('CONFLICT', 'somebody else sends this package')
      writing.add(id)
      try {
        if (offset === 0) await folder.tidy()
        await folder.append(id, offset, source)
      } finally {
        writing.delete(id)
      }
      return state(id)
    },
    async apply(id, caller) {
      const { received, result } = await state(id)
      if (result !== null) return result
      if (received === 0) throw AppError.notFound(`package ${id}`)
      try {
        const applied = await applyPackage(deps, { id, file: folder.file(id), ...caller })
        await folder.remove(id)
        return applied
      } catch (error) {
        // One that is refused is of no use any more: what it was computed from is another.
        if (error instanceof AppError && error.status < 500) await folder.remove(id)
        throw error
      }
    },
    remove: (id) => folder.remove(id),
  }
}

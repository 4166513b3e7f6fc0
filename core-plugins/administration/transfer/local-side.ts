import { operator } from '../../accounts/auth/auth.ts'
import { AppError } from '../../foundation/http/http.ts'
import { type ApplyDeps, applyPackage } from './apply/apply-package.ts'
import type { PackageFile } from './package/package-file.ts'
import type { ReceivedFolder } from './package/received-folder.ts'
import { pageSize, type TransferSide } from './plan/side.ts'
import type { TransferReads } from './reads.ts'

export interface LocalSideDeps {
  readonly reads: TransferReads
  readonly applying: ApplyDeps
  readonly files: ReceivedFolder
  readonly open: (path: string) => PackageFile
}

/** This environment as a side of a transfer, with the rights of an operator of the machine. */
export function createLocalSide({ reads, applying, open, files }: LocalSideDeps): TransferSide {
  return {
    name: 'here',
    describe: () => reads.describe(operator),
    page: (section, after, beside) => reads.page(operator, { section, after, limit: pageSize, beside }),
    find: (section, keys, beside) => reads.find(operator, { section, keys, beside }),
    agreements: (peer, section, after) =>
      reads.agreements(operator, { peer, section, after, limit: pageSize }),
    agreementsOn: (peer, section, keys) => reads.agreementsOn(operator, { peer, section, keys }),
    remember: (peer, agreements, at) => reads.remember(operator, peer, agreements, at),
    apply: ({ id, path }) => applyPackage(applying, { id, file: open(path), principal: operator }),
    readFile: ({ item }, offset) => reads.file(operator, item, offset),
    async putFile({ name, hash, size }, read) {
      const received = await files.received(hash)
      if (received < size) await files.append(hash, received, await read(received))
      if (await files.isComplete(hash)) return
      await files.remove([hash])
      throw new AppError('BAD_GATEWAY', `${name} has arrived with other bytes than its hash says`)
    },
    release: (id) => reads.release(operator, id),
  }
}

import type { Auth } from '../../../../accounts/auth/auth.ts'
import type { MediaWrites } from '../../../../delivery/media/media.ts'
import type { Entry } from '../../../../entries/content/content.ts'
import type {
  ItemToPut,
  SectionWrite,
  TransferSection,
  Value,
} from '../../../../foundation/sections/sections.ts'
import { named } from '../../apply/named-problems.ts'
import { findReferenced, missingFrom, resolveValues } from '../../apply/resolve-references.ts'
import { MediaReader, type MediaReaderDeps } from './media-reader.ts'
import { mediaRights } from './media-rights.ts'
import { assertFolderForm } from './media-value.ts'

export interface FolderSectionDeps extends MediaReaderDeps {
  readonly auth: Auth
  readonly writes: () => MediaWrites
}

const name = 'media-folders'

/** The folders of the media library. */
export function folderSection(deps: FolderSectionDeps): TransferSection {
  const { keys, writes } = deps
  const reader = new MediaReader('media-folder', deps)
  const noFile = () => undefined
  return {
    name,
    group: 'media',
    isBeforeContent: true,
    ...mediaRights(deps.auth),
    async page(after, limit) {
      return reader.items(await reader.page(after, limit), undefined, noFile)
    },
    find: async (wanted, { tx } = {}) => reader.items(await reader.find(wanted, tx), tx, noFile),
    assertForm: assertFolderForm,
    begin: async () => ({
      put: (items, write) => putFolders(items, write, { ...deps, reader }),
      async remove(wanted, write) {
        const found = await reader.find(wanted, write.tx)
        for (const { id } of innermostFirst(found.map(({ row }) => row)))
          await writes().removeFolder(id, write)
      },
    }),
  }

  /** Writes folders, parents before children. */
  async function putFolders(
    items: readonly ItemToPut[],
    write: SectionWrite,
    { reader: { type } }: { readonly reader: MediaReader },
  ): Promise<readonly string[]> {
    let waiting = items
    while (waiting.length > 0) {
      const own = waiting.map(({ key }) => key)
      const values = waiting.map(({ value }) => value.data as Value)
      const known = await findReferenced(deps, { type, keys: own, values }, write)
      const here = await keys.idsOf(type, own, write.tx)
      const later: ItemToPut[] = []
      for (const item of waiting) {
        const { values, missing } = resolveValues(deps, type, item.value.data as Value, known)
        if (missing.length > 0 && !write.isLast) later.push(item)
        else if (missing.length > 0 && !write.dropsMissing)
          throw missingFrom({ section: name, key: item.key }, missing)
        else {
          await named([{ section: name, key: item.key }], () =>
            putFolder(item, here.get(item.key), values, write),
          )
        }
      }
      if (later.length === waiting.length) return later.map(({ key }) => key)
      waiting = later
    }
    return []
  }

  async function putFolder({ key }: ItemToPut, id: number | undefined, values: Value, write: SectionWrite) {
    if (id === undefined) await writes().createFolder(values, { ...write, uuid: key })
    else await writes().changeFolder(id, values, write)
  }
}

function innermostFirst(folders: readonly Entry[]): readonly Entry[] {
  const parents = new Map(folders.map(({ id, parent }) => [id, parent]))
  const depthOf = (id: unknown): number => {
    let depth = 0
    for (let next = parents.get(Number(id)); typeof next === 'number'; next = parents.get(next)) depth++
    return depth
  }
  return [...folders].sort((left, right) => depthOf(right.id) - depthOf(left.id))
}

import type { MediaFile } from '../../../../../../../client/client.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { useFiles } from '../../files/use-files.ts'
import { useTitles } from '../../list/data/use-titles.ts'

/** A referenced entry or file with the name that editors know. */
export interface NamedReference {
  readonly title: string
  /** The address of a thumbnail, for images. */
  readonly picture?: string
}

type NameReference = (id: number) => NamedReference

/** How many references are named; of the others, only the number is shown. */
const mostShown = 100

const none: readonly number[] = []

/**
 * Loads the names of entries of a type, or of files if `target` is undefined. Entries and files that are deleted or that the user
 * may not read are shown by id.
 */
export function useNamedReferences(
  target: string | undefined,
  ids: readonly number[],
  types: readonly DescribedType[],
): NameReference {
  const shown = ids.slice(0, mostShown)
  const type = types.find(({ name, system }) => name === target && !system)
  const titles = useTitles(type === undefined ? [] : [{ type, ids: shown }])
  const files = useFiles(target === undefined ? shown : none)
  return (id) => {
    const file = files.get(id) ?? undefined
    if (file !== undefined) return namedFile(file)
    return { title: titles.get(target ?? '')?.get(id) ?? `#${id}` }
  }
}

function namedFile({ originalName, mimeType, url, formats }: MediaFile): NamedReference {
  const isPicture = mimeType.startsWith('image/')
  return { title: originalName, ...(isPicture && { picture: formats.small?.url ?? url }) }
}

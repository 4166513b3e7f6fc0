import type { MediaFile } from '../../../../../../../client/client.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { useFiles } from '../../files/use-files.ts'
import { useTitles } from '../../list/data/use-titles.ts'

/** What is referred to, as people know it. */
export interface NamedReference {
  readonly title: string
  /** Of an image. */
  readonly picture?: string
}

type NameReference = (id: number) => NamedReference

/** As many as one looks at; the rest is told by number. */
const mostShown = 100

const none: readonly number[] = []

/** Names entries of a type, and files where `target` is undefined; by number what one may not read, or what is gone. */
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

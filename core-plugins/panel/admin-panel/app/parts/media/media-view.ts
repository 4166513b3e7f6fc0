import { type FileKind, fileKindOf } from '../../content/files/file-kind.ts'

/** The state of the library; all of it is in the URL. */
export interface MediaView {
  /** `all`: files in any folder; `root`: files in no folder. */
  readonly folder: number | 'all' | 'root'
  readonly kind: FileKind | 'all'
  readonly tag: string
  readonly search: string
  readonly sort: MediaSort
  readonly layout: 'grid' | 'list'
}

const sorts = [
  'created_at:desc',
  'created_at:asc',
  'originalName:asc',
  'originalName:desc',
  'size:desc',
  'size:asc',
] as const

/** As the API takes it. */
export type MediaSort = (typeof sorts)[number]

export const mediaSorts: readonly MediaSort[] = sorts

/** The address without parameters. */
export const initialView: MediaView = {
  folder: 'all',
  kind: 'all',
  tag: '',
  search: '',
  sort: 'created_at:desc',
  layout: 'grid',
}

/** Reads the URL; unknown values are ignored. */
export function readView(parameters: URLSearchParams): MediaView {
  const folder = parameters.get('folder') ?? ''
  const sort = parameters.get('sort')
  return {
    folder: folder === 'root' ? folder : /^[1-9]\d{0,14}$/.test(folder) ? Number(folder) : initialView.folder,
    kind: fileKindOf(parameters.get('type') ?? '') ?? initialView.kind,
    tag: parameters.get('tag') ?? '',
    search: parameters.get('q') ?? '',
    sort: sorts.find((known) => known === sort) ?? initialView.sort,
    layout: parameters.get('layout') === 'list' ? 'list' : initialView.layout,
  }
}

const parameterNames: Readonly<Record<keyof MediaView, string>> = {
  folder: 'folder',
  kind: 'type',
  tag: 'tag',
  search: 'q',
  sort: 'sort',
  layout: 'layout',
}

/** The shortest URL of the view. */
export function writeView(view: MediaView): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const name of Object.keys(parameterNames) as (keyof MediaView)[]) {
    if (view[name] !== initialView[name]) parameters.set(parameterNames[name], String(view[name]))
  }
  return parameters
}

/** `/media?folder=3` */
export function addressOf(view: MediaView): string {
  const query = writeView(view).toString()
  return query === '' ? '/media' : `/media?${query}`
}

/** Whether the view is filtered by more than the folder. */
export const isFiltered = ({ kind, tag, search }: MediaView): boolean =>
  kind !== 'all' || tag !== '' || search !== ''

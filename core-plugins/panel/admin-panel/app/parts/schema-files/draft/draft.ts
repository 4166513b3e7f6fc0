import { useSyncExternalStore } from 'react'
import type { CheckedSchemaFiles, SchemaFileChanges, SchemaFiles } from '../../../../../../../client/admin.ts'
import { createObservable } from '../../../ground/observable.ts'
import type { FileContent, Files } from './file-content.ts'
import { keepText, keptText } from './kept-text.ts'

/** The unsaved changes of the model. */
export interface Draft {
  /** The files when the first change was made; undefined without changes. */
  readonly base: SchemaFiles | undefined
  /** The changed files. */
  readonly files: Files
  /** The problems found by the last check, by file. */
  readonly problems: CheckedSchemaFiles['problems']
}

const untouched: Draft = { base: undefined, files: new Map(), problems: [] }

/** Kept across screens and reloads: in development, pages reload when the service restarts. */
const draft = createObservable<Draft>(readKept() ?? untouched)

export const useDraft = () => useSyncExternalStore(draft.subscribe, draft.get)

/** The files as read from the service; invalid JSON is left out, since it can only be fixed in an editor. */
export function filesOf({ files }: SchemaFiles): Files {
  return new Map(
    files.flatMap(({ path, content }) => (content === null ? [] : [[path, content as FileContent]])),
  )
}

/** Changes the files; `current` is the base if nothing has been changed yet. */
export function changeFiles(current: SchemaFiles, change: (files: Files) => Files) {
  const { base = current, files } = draft.get()
  const before = draft.get().base === undefined ? filesOf(current) : files
  set({ base, files: change(before), problems: draft.get().problems })
}

/** Reverts a file. */
export function takeBack(path: string) {
  const { base, files, problems } = draft.get()
  if (base === undefined) return
  const stored = filesOf(base).get(path)
  const taken = new Map(files)
  if (stored === undefined) taken.delete(path)
  else taken.set(path, stored)
  set({ base, files: taken, problems: problems.filter(({ file }) => file !== path) })
}

export const discardDraft = () => set(untouched)

/** Rebases the draft onto files changed by another user: the draft's own changes stay. */
export function rebase(current: SchemaFiles) {
  const changes = changesOf(draft.get())
  const files = new Map(filesOf(current))
  for (const [path, content] of Object.entries(changes)) {
    if (content === null) files.delete(path)
    else files.set(path, content as FileContent)
  }
  set({ base: current, files, problems: [] })
}

export function noteProblems(problems: Draft['problems']) {
  draft.set({ ...draft.get(), problems })
}

/** The changed files; null for deleted ones. */
export function changesOf({ base, files }: Draft): SchemaFileChanges {
  if (base === undefined) return {}
  const before = filesOf(base)
  const paths = new Set([...before.keys(), ...files.keys()])
  return Object.fromEntries(
    [...paths]
      .filter((path) => JSON.stringify(before.get(path)) !== JSON.stringify(files.get(path)))
      .map((path) => [path, files.get(path) ?? null]),
  )
}

function set(next: Draft) {
  const isChanged = Object.keys(changesOf(next)).length > 0
  draft.set(isChanged ? next : untouched)
  keepDraft(draft.get())
  if (isChanged) addEventListener('beforeunload', askBeforeLeaving)
  else removeEventListener('beforeunload', askBeforeLeaving)
}

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

function keepDraft({ base, files }: Draft) {
  keepText(base === undefined ? undefined : JSON.stringify({ base, files: [...files] }))
}

function readKept(): Draft | undefined {
  const text = keptText()
  if (text === undefined) return undefined
  const { base, files } = JSON.parse(text) as { base: SchemaFiles; files: [string, FileContent][] }
  return { base, files: new Map(files), problems: [] }
}

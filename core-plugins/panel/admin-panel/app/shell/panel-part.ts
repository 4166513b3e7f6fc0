import { type ComponentType, useMemo, useSyncExternalStore } from 'react'
import { type Access, useAccess } from '../ground/access/access.ts'
import { createObservable } from '../ground/observable.ts'
import type { HomeTile } from './home/widget.tsx'
import { isAt, type Screen, type Section } from './screen.ts'

/**
 * The panel's contributions for one plugin of the service, shown only while the plugin is on. The modules for lists and entries
 * extend this interface with theirs.
 */
export interface PanelPart {
  /** In navigation order; if two match a path, the first one wins. */
  readonly screens?: readonly Screen[]
  /** Screens of an area, such as `/operations`, in the order of its navigation. */
  readonly sections?: readonly Section[]
  readonly homeTiles?: readonly HomeTile[]
  /** Searches for entries in the palette; by default, entries are found by title. */
  readonly entrySearches?: readonly EntrySearch[]
  /** Components rendered above every screen. */
  readonly overlays?: readonly ComponentType[]
}

export interface FoundEntry {
  readonly type: string
  readonly id: number
  readonly title: string
}

export type EntrySearch = (
  wanted: { readonly text: string; readonly most: number },
  signal: AbortSignal,
) => Promise<readonly FoundEntry[]>

/** Parts by plugin name. */
export type PanelParts = Readonly<Record<string, PanelPart>>

/** One contribution of a kind. */
export type Contribution<Kind extends keyof PanelPart> = NonNullable<PanelPart[Kind]>[number]

interface Added {
  /** The script that registered them. Registering again replaces them. */
  readonly script: string
  readonly parts: PanelParts
  readonly isModule: boolean
}

const added = createObservable<readonly Added[]>([])

/** Registers the parts of a script once it is loaded: the panel's own, or that of a screen to which several plugins add. */
export const addParts = (script: string, parts: PanelParts) => add({ script, parts, isModule: false })

/** Registers the module of an extension. Its contributions come after the panel's own, whenever it is loaded. */
export const addModulePart = (plugin: string, part: PanelPart) =>
  add({ script: `module of ${plugin}`, parts: { [plugin]: part }, isModule: true })

function add(one: Added) {
  const others = added.get().filter(({ script }) => script !== one.script)
  added.set([...others, one].toSorted((left, right) => Number(left.isModule) - Number(right.isModule)))
}

const allParts = () => added.get().flatMap(({ parts }) => Object.entries(parts))

/** The contributions of a kind from the plugins that are on. */
export const contributionsOf = <Kind extends keyof PanelPart>(kind: Kind, access: Access) =>
  allParts().flatMap(([plugin, part]) =>
    access.isOn(plugin) ? ((part[kind] ?? []) as readonly Contribution<Kind>[]) : [],
  )

/** Like `contributionsOf`, for components: they render again when more is registered. */
export function useContributions<Kind extends keyof PanelPart>(kind: Kind): readonly Contribution<Kind>[] {
  const access = useAccess()
  const known = useSyncExternalStore(added.subscribe, added.get)
  return useMemo(() => contributionsOf(kind, access), [kind, access, known])
}

/** The screen or section at a path below `/admin`, of any plugin. */
export const screenAt = (kind: 'screens' | 'sections', path: string): Screen | Section | undefined =>
  allParts()
    .flatMap(([, part]) => part[kind] ?? [])
    .find((screen) => isAt(screen, path))

/** The plugin that is off and would have a screen at a path. */
export const pluginOffAt = (path: string, access: Access): string | undefined =>
  allParts().find(
    ([plugin, { screens = [], sections = [] }]) =>
      !access.isOn(plugin) && [...screens, ...sections].some((screen) => isAt(screen, path)),
  )?.[0]

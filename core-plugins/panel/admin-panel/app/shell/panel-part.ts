import { type ComponentType, useMemo, useSyncExternalStore } from 'react'
import { type Access, useAccess } from '../ground/access/access.ts'
import { createObservable } from '../ground/observable.ts'
import type { HomeTile } from './home/widget.tsx'
import { isAt, type Screen, type Section } from './screen.ts'

/**
 * What the panel shows because of one plugin of the service, and only while that plugin is on. What belongs to lists and
 * entries is added to this interface where those are drawn.
 */
export interface PanelPart {
  /** In the order of the navigation; of two that match a path, the first one wins. */
  readonly screens?: readonly Screen[]
  /** Screens of an area, such as `/operations`, in the order of its navigation. */
  readonly sections?: readonly Section[]
  readonly homeTiles?: readonly HomeTile[]
  /** How the palette finds entries; without one, by their titles. */
  readonly entrySearches?: readonly EntrySearch[]
  /** Stand over the page, whatever the screen. */
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

/** Parts by the plugins that they are of. */
export type PanelParts = Readonly<Record<string, PanelPart>>

/** One contribution of a kind. */
export type Contribution<Kind extends keyof PanelPart> = NonNullable<PanelPart[Kind]>[number]

interface Added {
  /** What they came with. One that comes again replaces its own. */
  readonly script: string
  readonly parts: PanelParts
  readonly isModule: boolean
}

const added = createObservable<readonly Added[]>([])

/** Makes parts known when their script has come: that of the panel, or of a screen to which several plugins add. */
export const addParts = (script: string, parts: PanelParts) => add({ script, parts, isModule: false })

/** The same for the module of a plugin. Whenever that comes, its contributions stand after those of the panel. */
export const addModulePart = (plugin: string, part: PanelPart) =>
  add({ script: `module of ${plugin}`, parts: { [plugin]: part }, isModule: true })

function add(one: Added) {
  const others = added.get().filter(({ script }) => script !== one.script)
  added.set([...others, one].toSorted((left, right) => Number(left.isModule) - Number(right.isModule)))
}

const allParts = () => added.get().flatMap(({ parts }) => Object.entries(parts))

/** What the plugins that are on contribute of a kind. */
export const contributionsOf = <Kind extends keyof PanelPart>(kind: Kind, access: Access) =>
  allParts().flatMap(([plugin, part]) =>
    access.isOn(plugin) ? ((part[kind] ?? []) as readonly Contribution<Kind>[]) : [],
  )

/** The same for a component, which is drawn again when more has come. */
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

/** The plugin that would have a screen at a path, if it were on. */
export const pluginOffAt = (path: string, access: Access): string | undefined =>
  allParts().find(
    ([plugin, { screens = [], sections = [] }]) =>
      !access.isOn(plugin) && [...screens, ...sections].some((screen) => isAt(screen, path)),
  )?.[0]

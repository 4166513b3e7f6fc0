import type { ComponentType } from 'react'
import type { Access } from '../ground/access/access.ts'
import type { TextKey } from '../ground/i18n/translate.ts'

/** A screen of the panel. */
export interface Screen {
  /** Relative to `/admin`, in wouter's syntax: `/content/:type/:id`. The component reads the params with `useParams`. */
  readonly path: string
  readonly load: () => Promise<ScreenModule>
  /** Whether the user may open it; others see an explanation. Default: every signed-in user. */
  readonly mayOpen?: (access: Access) => boolean
  /** The permission that `mayOpen` checks, in the words of the roles screen; shown to users who lack it. */
  readonly permission?: string
  /** Its place in the navigation; screens without it are reached from other screens. */
  readonly navigation?: NavigationPlace
}

/** The module of a screen; an area's module (`area.tsx`) also registers the sections of the area. */
export interface ScreenModule {
  readonly default: ComponentType
}

export interface NavigationPlace {
  readonly label: TextKey
  readonly icon: string
  readonly group: 'work' | 'administration'
  /** A count of waiting items; wrap it in `lazyPart`. */
  readonly count?: ComponentType
}

/** A screen of an area, with its full path: `/operations/webhooks`. */
export interface Section extends Omit<Screen, 'navigation'> {
  /** Its label in the area's navigation; sections without it are reached from other screens. */
  readonly label?: TextKey
}

/** The start path of a screen with subpaths: `/operations` for `/operations/*?`. */
export const startOf = ({ path }: Screen | Section): string => path.replace('/*?', '')

/** Whether a path relative to `/admin` belongs to the screen. */
export function isAt({ path }: Screen | Section, location: string): boolean {
  const pattern = path.replace(/\/:\w+/g, '/[^/]+').replace('/*?', '(/.*)?')
  return new RegExp(`^${pattern}/?$`).test(location)
}

/** Whether a path is a screen's or below it; the navigation marks such items as current. */
export function isWithin(start: string, location: string): boolean {
  return location === start || (start !== '/' && location.startsWith(`${start}/`))
}

/** Whether the user may open a screen. */
export const isOpenTo = ({ mayOpen }: Screen | Section, access: Access): boolean =>
  mayOpen === undefined || mayOpen(access)

import type { ComponentType } from 'react'
import type { Access } from '../ground/access/access.ts'
import type { TextKey } from '../ground/i18n/translate.ts'

/** A screen of the panel. */
export interface Screen {
  /** Below `/admin`, in wouter's form: `/content/:type/:id`. The component reads the params by `useParams`. */
  readonly path: string
  readonly load: () => Promise<ScreenModule>
  /** Who may open it; others get a page that says so. Default: everybody who is signed in. */
  readonly mayOpen?: (access: Access) => boolean
  /** What `mayOpen` asks for, as the roles screen names it; said to those who lack it. */
  readonly permission?: string
  /** Where it stands in the navigation; screens without it are reached from others. */
  readonly navigation?: NavigationPlace
}

/** The code of a screen; that of an area (`area.tsx`) brings the sections of the area. */
export interface ScreenModule {
  readonly default: ComponentType
}

export interface NavigationPlace {
  readonly label: TextKey
  readonly icon: string
  readonly group: 'work' | 'administration'
  /** How much waits there; wrap it in `lazyPart`. */
  readonly count?: ComponentType
}

/** A screen of an area, with its whole path: `/operations/webhooks`. */
export interface Section extends Omit<Screen, 'navigation'> {
  /** Its name in the navigation of the area; sections without it are reached from others. */
  readonly label?: TextKey
}

/** Where a screen with others below it begins: `/operations` of `/operations/*?`. */
export const startOf = ({ path }: Screen | Section): string => path.replace('/*?', '')

/** Whether a path below `/admin` is that of the screen. */
export function isAt({ path }: Screen | Section, location: string): boolean {
  const pattern = path.replace(/\/:\w+/g, '/[^/]+').replace('/*?', '(/.*)?')
  return new RegExp(`^${pattern}/?$`).test(location)
}

/** Whether a path leads to a screen or to something below it: what the navigation marks. */
export function isWithin(start: string, location: string): boolean {
  return location === start || (start !== '/' && location.startsWith(`${start}/`))
}

/** Whether somebody may open a screen. */
export const isOpenTo = ({ mayOpen }: Screen | Section, access: Access): boolean =>
  mayOpen === undefined || mayOpen(access)

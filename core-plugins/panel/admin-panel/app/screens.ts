import type { Access } from './ground/access/access.ts'
import { withTexts } from './ground/i18n/translate.ts'
import { lazyPart } from './ground/lazy/lazy-part.ts'
import { isAt, type Screen } from './shell/screen.ts'

const mediaRights = {
  plugin: 'media',
  permission: 'media.read',
  mayOpen: (access: Access) => access.mayMedia('read'),
}

const settingsRights = {
  plugin: 'runtime-config',
  permission: 'config.read',
  mayOpen: (access: Access) => access.mayArea('config'),
}

/** All screens: the order is that of the navigation, and of two that match a path, the first one wins. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    load: () => import('./shell/home/home.tsx'),
    navigation: { label: 'home.title', icon: 'house', group: 'work' },
  },
  {
    path: '/inbox',
    load: withTexts('inbox', () => import('./parts/inbox/inbox.tsx')),
    plugin: 'inbox',
    navigation: {
      ...{ label: 'shell.inbox', icon: 'inbox', group: 'work' },
      count: lazyPart(withTexts('inbox', () => import('./parts/inbox/inbox-count.tsx'))),
    },
  },
  {
    path: '/content/:type/:id',
    load: withTexts('forms', () => import('./content/screens/entry-screen.tsx')),
  },
  {
    path: '/content/:type/:id/translate',
    load: withTexts(
      'forms',
      withTexts('translation', () => import('./parts/i18n/translation-screen.tsx')),
    ),
    plugin: 'i18n',
  },
  { path: '/content/:type', load: () => import('./content/screens/list.tsx') },
  {
    path: '/media',
    load: withTexts('forms', () => import('./parts/media/media.tsx')),
    ...mediaRights,
    navigation: { label: 'shell.media', icon: 'image', group: 'work' },
  },
  {
    path: '/media/:id',
    load: withTexts('forms', () => import('./parts/media/details/details.tsx')),
    ...mediaRights,
  },
  {
    path: '/model/*?',
    load: withTexts('model', () => import('./parts/schema-files/model.tsx')),
    plugin: 'schema-files',
    permission: 'schemas.read',
    mayOpen: ({ mayArea }) => mayArea('schemas'),
    navigation: { label: 'shell.model', icon: 'boxes', group: 'administration' },
  },
  {
    path: '/calendar',
    load: withTexts('calendar', () => import('./parts/planning/calendar.tsx')),
    plugin: 'planning',
    navigation: { label: 'shell.calendar', icon: 'calendar-days', group: 'work' },
  },
  {
    path: '/releases/*?',
    load: withTexts('calendar', () => import('./parts/releases/releases.tsx')),
    plugin: 'releases',
    permission: 'content.publish',
    mayOpen: ({ mayArea, publishes }) => publishes || mayArea('releases'),
    navigation: { label: 'shell.releases', icon: 'package', group: 'work' },
  },
  {
    path: '/operations/*?',
    load: withTexts('operations', () => import('./shell/operations.tsx')),
    mayOpen: ({ isAdministrator }) => isAdministrator,
    navigation: { label: 'shell.operations', icon: 'activity', group: 'administration' },
  },
  {
    path: '/people/*?',
    load: withTexts('people', () => import('./parts/auth/people.tsx')),
    mayOpen: ({ isAdministrator }) => isAdministrator,
    navigation: { label: 'shell.people', icon: 'users', group: 'administration' },
  },
  { path: '/profile', load: withTexts('people', () => import('./parts/auth/profile/profile.tsx')) },
  {
    path: '/settings',
    load: () => import('./parts/runtime-config/settings-list.tsx'),
    ...settingsRights,
    navigation: { label: 'settings.title', icon: 'settings', group: 'administration' },
  },
  {
    path: '/settings/:category',
    load: () => import('./parts/runtime-config/category-screen.tsx'),
    ...settingsRights,
  },
  { path: '/x/:plugin/*?', load: () => import('./shell/plugins/plugin-page.tsx') },
]

/** The screen at a path below `/admin`. */
export function screenAt(path: string): Screen | undefined {
  return screens.find((screen) => isAt(screen, path))
}

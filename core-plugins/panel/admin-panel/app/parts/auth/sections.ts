import type { Access } from '../../ground/access/access.ts'
import { withTexts } from '../../ground/i18n/translate.ts'
import type { Section } from '../../shell/screen.ts'

const rights = (area: string) => ({
  permission: `${area}.read`,
  mayOpen: ({ mayArea }: Access) => mayArea(area),
})

/** The screens of the area; those without a label are reached from others. */
export const sections: readonly Section[] = [
  {
    path: '/people/admins',
    label: 'people.admins.title',
    load: withTexts('resources', () => import('./admins/admins.tsx')),
    ...rights('users'),
  },
  {
    path: '/people/users',
    label: 'people.users.title',
    load: withTexts('resources', () => import('./users/users.tsx')),
    ...rights('users'),
  },
  {
    path: '/people/roles',
    label: 'people.roles.title',
    load: withTexts('resources', () => import('./roles/roles.tsx')),
    ...rights('roles'),
  },
  { path: '/people/roles/:id', load: () => import('./roles/role-screen.tsx'), ...rights('roles') },
  {
    path: '/people/tokens',
    label: 'people.tokens.title',
    load: withTexts('resources', () => import('./tokens/tokens.tsx')),
    ...rights('tokens'),
  },
]

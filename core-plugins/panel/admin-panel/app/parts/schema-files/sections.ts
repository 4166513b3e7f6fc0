import { withTexts } from '../../ground/i18n/translate.ts'
import type { Section } from '../../shell/screen.ts'

const rights = { permission: 'schemas.read' } as const

/** The screens of the area; those without a label are reached from others. */
export const sections: readonly Section[] = [
  {
    ...rights,
    path: '/model/types',
    label: 'model.types',
    load: withTexts('resources', () => import('./owners/types-screen.tsx')),
  },
  { ...rights, path: '/model/types/:name', load: () => import('./fields/type-screen.tsx') },
  {
    ...rights,
    path: '/model/components',
    label: 'model.components',
    load: withTexts('resources', () => import('./owners/components-screen.tsx')),
  },
  { ...rights, path: '/model/components/:name', load: () => import('./fields/component-screen.tsx') },
  {
    ...rights,
    path: '/model/diagram',
    label: 'model.diagram',
    load: () => import('./diagram/diagram-screen.tsx'),
  },
  {
    ...rights,
    path: '/model/review',
    load: withTexts('forms', () => import('./review/review-screen.tsx')),
  },
]

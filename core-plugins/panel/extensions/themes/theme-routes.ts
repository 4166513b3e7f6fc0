import { Type } from 'typebox'
import { type Config, type Setting, siteName } from '../../../foundation/config/config.ts'
import {
  defineRoute,
  orNull,
  Reply,
  type Route,
  strict,
  undocumented,
} from '../../../foundation/http/http.ts'
import type { Theme } from './find-themes.ts'
import { propertiesOf } from './tokens.ts'

const tag = 'Themes'
const values = Type.Record(Type.String(), Type.Unknown())

const themeSchema = Type.Object(
  {
    name: Type.String({ description: 'Empty if no theme is chosen' }),
    displayName: Type.String(),
    version: Type.String(),
    tokens: values,
    branding: Type.Record(Type.String(), Type.String()),
    layout: values,
    settings: values,
  },
  strict,
)

const propertiesSchema = Type.Record(Type.String(), Type.String())

/** A theme, as the panel lists it. */
export const listedThemeSchema = Type.Object(
  {
    name: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    version: Type.String(),
    isActive: Type.Boolean(),
    problem: orNull(Type.String(), { description: 'Why it cannot be used' }),
    properties: Type.Object(
      { light: propertiesSchema, dark: propertiesSchema },
      {
        ...strict,
        description: 'Its custom properties without the hyphens, and those that replace them in the dark',
      },
    ),
  },
  strict,
)

/** Sent if no theme is chosen, or one that cannot be used. */
const plain: Theme = {
  name: '',
  displayName: '',
  description: '',
  version: '',
  tokens: {},
  branding: {},
  layout: {},
  css: '',
  settings: new Map(),
}

export interface ThemeRoutesParts {
  readonly config: Config
  readonly themes: readonly Theme[]
  /** The name of the chosen theme. */
  readonly chosen: Setting<string>
}

/** Serves the theme publicly, since the panel needs it before sign-in. */
export function createThemeRoutes({ config, themes, chosen }: ThemeRoutesParts): Route[] {
  const present = () =>
    themes.find(({ name, failure }) => name === config.get(chosen) && failure === undefined)

  return [
    defineRoute({
      tag,
      name: 'admin:theme.read',
      method: 'GET',
      path: '/admin/theme',
      summary: 'The theme of the panel',
      access: 'open',
      isUnlimited: true,
      response: themeSchema,
      handler() {
        const { name, displayName, version, tokens, layout, settings, ...theme } = present() ?? plain
        const branding = { title: config.get(siteName), ...theme.branding }
        const values = [...settings].map(([key, setting]) => [key, config.get(setting)])
        return { name, displayName, version, tokens, branding, layout, settings: Object.fromEntries(values) }
      },
    }),
    defineRoute({
      tag,
      name: 'admin:theme.css',
      method: 'GET',
      path: '/admin/theme.css',
      summary: 'The tokens of the theme as a style sheet of custom properties',
      access: 'open',
      isUnlimited: true,
      rawResponse: 'text/css',
      document: undocumented,
      handler: () => new Reply(200, { kind: 'raw', body: (present() ?? plain).css, mediaType: 'text/css' }),
    }),
    defineRoute({
      tag,
      name: 'admin:themes.list',
      method: 'GET',
      path: '/admin/themes',
      summary: 'The themes that are there',
      access: 'area',
      scope: 'admin:config:read',
      response: Type.Array(listedThemeSchema),
      handler: () =>
        themes.map(({ name, displayName, description, version, tokens, failure = null }) => ({
          ...{ name, displayName, description, version },
          isActive: name === present()?.name,
          problem: failure,
          properties: propertiesOf(tokens),
        })),
    }),
  ]
}

import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const pluginsDir = defineSetting(
  'pluginsDir',
  Type.String({
    tier: 'infrastructure',
    default: './plugins',
    title: 'Plugins directory',
    description: 'Each folder in it that holds a plugin.ts or plugin.js is a plugin',
  }),
)

export const routesDir = defineSetting(
  'routesDir',
  Type.String({
    tier: 'infrastructure',
    default: './routes',
    title: 'Routes directory',
    description: 'Each script in it exports routes of the application, which are served below /x/app',
  }),
)

export const pluginTimeoutMs = defineSetting(
  'pluginTimeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 60_000,
    minimum: 1,
    title: 'Time for plugins to start',
    description: 'Milliseconds that each phase of the start of a plugin may take before it is switched off',
  }),
)

export const pluginListenerTimeoutMs = defineSetting(
  'pluginListenerTimeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 5_000,
    minimum: 1,
    title: 'Time for listeners of plugins',
    description:
      'Milliseconds that a request waits for a listener of a plugin; the listener goes on by itself after that',
  }),
)

/** All extension settings, to be contributed. */
export const extensionSettings = [pluginsDir, routesDir, pluginTimeoutMs, pluginListenerTimeoutMs]

import { defineSetting } from '../config/config.ts'

export const pluginsDir = defineSetting<string>({
  key: 'pluginsDir',
  tier: 'infrastructure',
  type: 'string',
  default: './plugins',
  label: 'Plugins directory',
  description: 'Each folder in it that holds a plugin.ts or plugin.js is a plugin',
})

export const routesDir = defineSetting<string>({
  key: 'routesDir',
  tier: 'infrastructure',
  type: 'string',
  default: './routes',
  label: 'Routes directory',
  description: 'Each script in it exports routes of the application, which are served below /x/app',
})

export const pluginTimeoutMs = defineSetting<number>({
  key: 'pluginTimeoutMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 60_000,
  min: 1,
  label: 'Time for plugins to start',
  description: 'Milliseconds that each phase of the start of a plugin may take before it is switched off',
})

export const pluginListenerTimeoutMs = defineSetting<number>({
  key: 'pluginListenerTimeoutMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 5_000,
  min: 1,
  label: 'Time for listeners of plugins',
  description:
    'Milliseconds that a request waits for a listener of a plugin; the listener goes on by itself after that',
})

/** All of them, to be contributed. */
export const extensionSettings = [pluginsDir, routesDir, pluginTimeoutMs, pluginListenerTimeoutMs]

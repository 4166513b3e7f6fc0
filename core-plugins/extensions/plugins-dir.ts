import { defineSetting } from '../config/config.ts'

export const pluginsDir = defineSetting<string>({
  key: 'pluginsDir',
  tier: 'infrastructure',
  type: 'string',
  default: './plugins',
  label: 'Plugins directory',
  description: 'Each folder in it that holds a plugin.ts or plugin.js is a plugin',
})

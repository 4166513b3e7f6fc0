import { defineExtension, fieldTypes, panelModules } from 'mortise/plugin'
import { colorType } from './color-type.ts'

export default defineExtension({
  name: 'color',
  displayName: 'Colour',
  description: 'Lets fields hold colours',
  version: '1.0.0',
  engines: { mortise: '>=0.1.0' },

  register({ contribute }) {
    contribute(fieldTypes, colorType)
    contribute(panelModules, { file: './panel.tsx' })
  },
})

import { createArea } from '../../shell/area.tsx'
import { addParts } from '../../shell/panel-part.ts'
import { sections } from './sections.ts'

addParts('model', { 'schema-files': { sections } })

/** The model area: visible to all, editable if schema files may be written. */
export default createArea({ title: 'shell.model', start: '/model' })

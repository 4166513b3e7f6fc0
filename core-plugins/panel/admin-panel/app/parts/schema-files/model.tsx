import { createArea } from '../../shell/area.tsx'
import { sections } from './sections.ts'

export { sections }

/** What entries consist of: shown everywhere, changed where schema files may be written. */
export default createArea({ title: 'shell.model', start: '/model', sections })

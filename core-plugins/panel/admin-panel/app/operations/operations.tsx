import { createArea } from '../shell/area.tsx'
import { sections } from './sections.ts'

export { sections }

/** How the service is watched and run. */
export default createArea({ title: 'shell.operations', start: '/operations', sections })

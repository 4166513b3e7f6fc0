import { createArea } from './area.tsx'
import { sections } from './operations-sections.ts'

export { sections }

/** How the service is watched and run. */
export default createArea({ title: 'shell.operations', start: '/operations', sections })

import { definePanelModule } from 'mortise/panel'
import { CheckPanel } from './panel/check-panel.tsx'
import { IncompleteEntries } from './panel/incomplete-entries.tsx'
import { t } from './panel/texts.ts'

export default definePanelModule({
  entryPanels: [{ id: 'seo:check', label: t('panel'), icon: 'search', component: CheckPanel }],
  widgets: [{ id: 'seo:incomplete', title: t('widget'), icon: 'search', component: IncompleteEntries }],
})

import { api, definePanelModule, defineTexts } from 'mortise/panel'

const t = defineTexts({
  en: { column: 'Reading time', minutes: '{minutes, number} min' },
  de: { column: 'Lesezeit', minutes: '{minutes, number} Min.' },
})

interface Estimate {
  readonly words: number
  readonly minutes: number
}

/** One request for all rows that have just come into view. */
const load = ({ type, ids }: { readonly type: string; readonly ids: readonly number[] }) =>
  api.send<Readonly<Record<number, Estimate>>>('GET', `/x/reading-time/${type}?ids=${ids.join(',')}`)

function Minutes({ value }: { readonly value: unknown }) {
  const estimate = value as Estimate | undefined
  return estimate === undefined ? null : t('minutes', { minutes: estimate.minutes })
}

export default definePanelModule({
  columns: [{ id: 'reading-time:minutes', label: t('column'), load, cell: Minutes }],
})

import { useParams } from 'wouter'
import { NotFoundPage } from '../../shell/refusal-pages.tsx'
import { ReleaseList } from './release-list.tsx'
import { ReleaseScreen } from './release-screen.tsx'

/** All releases, or one of them. */
export default function Releases() {
  const { '*': rest = '' } = useParams<{ readonly '*'?: string }>()
  if (rest === '') return <ReleaseList />
  return /^[1-9]\d{0,14}$/.test(rest) ? <ReleaseScreen key={rest} id={Number(rest)} /> : <NotFoundPage />
}

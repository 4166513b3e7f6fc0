import { Component, type ReactNode, Suspense } from 'react'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import classes from './plugin-part.module.css'
import { reportPluginError } from './report-error.ts'
import { messageOf } from './thrown.ts'

export interface PluginPartProps {
  readonly plugin: string
  /** `widget seo:worst`, for operators. */
  readonly where: string
  /** `cell` for what stands in rows: a failure is a word there. */
  readonly size?: 'box' | 'cell'
  readonly children: ReactNode
}

interface PartState {
  /** In an object, since anything can be thrown, undefined as well. */
  readonly failure?: { readonly error: unknown } | undefined
}

/** Where a plugin draws: what fails in it becomes a box with the plugin's name, and everything else stays. */
export class PluginPart extends Component<PluginPartProps, PartState> {
  override state: PartState = {}

  static getDerivedStateFromError(error: unknown): PartState {
    return { failure: { error } }
  }

  override componentDidCatch(error: unknown) {
    reportPluginError(this.props.plugin, this.props.where, error)
  }

  override render() {
    const { failure } = this.state
    if (failure !== undefined) {
      const problem = messageOf(failure.error)
      if (this.props.size === 'cell') return <span title={problem}>{t('plugins.failedShort')}</span>
      return (
        <FailedPart
          plugin={this.props.plugin}
          problem={problem}
          onRetry={() => this.setState({ failure: undefined })}
        />
      )
    }
    return <Suspense fallback={<Skeleton />}>{this.props.children}</Suspense>
  }
}

interface FailedPartProps {
  readonly plugin: string
  readonly problem: string
  readonly onRetry: () => void
}

/** Stands in place of what a plugin would have drawn. */
export function FailedPart({ plugin, problem, onRetry }: FailedPartProps) {
  return (
    <div className={classes.failed} role="alert">
      <Icon name="plug" />
      <div className={classes.words}>
        <p className={classes.title}>{t('plugins.failed', { plugin })}</p>
        <p className={classes.problem}>{problem}</p>
      </div>
      <Button size="s" onPress={onRetry}>
        {t('shell.tryAgain')}
      </Button>
    </div>
  )
}

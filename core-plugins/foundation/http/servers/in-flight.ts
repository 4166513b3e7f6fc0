/** Counts requests in flight for the stop, and tells answers once draining has begun. */
export class InFlight {
  /**
   * The service is about to stop: every answer closes its connection, so that the client switches to another process.
   */
  isDraining = false
  private count = 0
  private waiting: (() => void)[] = []

  /** Counts a request that has not been answered yet. */
  begin() {
    this.count++
  }

  end() {
    this.count--
    if (this.count > 0) return
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  /** Resolves with true once no request is left, or with false when the time is up. */
  async isIdleWithin(timeoutMs: number): Promise<boolean> {
    if (this.count === 0) return true
    let timer: NodeJS.Timeout | undefined
    const idle = new Promise<boolean>((resolve) => this.waiting.push(() => resolve(true)))
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs)
    })
    return Promise.race([idle, timeout]).finally(() => clearTimeout(timer))
  }
}

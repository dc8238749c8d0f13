/** The reason why a process cannot start, as sentences for the operator, with the exit code. */
export class StartError extends Error {
  override name = 'StartError'
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message)
    this.exitCode = exitCode
  }
}

// Node loads this file before the program. It throws an uncaught error when the process gets SIGUSR2.
process.on('SIGUSR2', () => {
  if (process.env.FAULT === 'rejection') void Promise.reject(new Error('fault of a test'))
  else
    setImmediate(() => {
      throw new Error('fault of a test')
    })
})

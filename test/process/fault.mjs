// Loaded before the program: a fault that nothing catches, at a signal.
process.on('SIGUSR2', () => {
  if (process.env.FAULT === 'rejection') void Promise.reject(new Error('fault of a test'))
  else
    setImmediate(() => {
      throw new Error('fault of a test')
    })
})

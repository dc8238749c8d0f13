/**
 * The folder of the code: `src`, or `dist` after the build. Files are found from here and not from the module that
 * reads them, because the build moves modules into a bundle (decision 451).
 */
export const CODE_FOLDER = new URL('../', import.meta.url)

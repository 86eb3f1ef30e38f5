/** The limits of a sheet in Excel. */
export const maxSheetRows = 1_048_576;
export const maxSheetColumns = 16_384;
export const maxSheetTextLength = 32_767;

/** The punched P. */
export const Logo = ({ size = 26 }: { size?: number }) => (
  <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" className="mark-ground" />
    <path
      className="mark-letter"
      fillRule="evenodd"
      d="M10 6h7.2a6.8 6.8 0 0 1 0 13.6H14V26h-4zM17 9.9a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.8"
    />
  </svg>
);

{-# LANGUAGE OverloadedStrings #-}
-- network-uri: parseURI and parseURIReference.
import Data.Aeson (Value (..), decode, encode, object, (.:), (.=))
import Data.Aeson.Types (parseMaybe)
import qualified Data.ByteString.Char8 as Strict
import qualified Data.ByteString.Lazy.Char8 as Lazy
import Network.URI (parseURI, parseURIReference, uriAuthority, uriRegName)
import System.IO (BufferMode (..), hSetBuffering, isEOF, stdout)

main :: IO ()
main = hSetBuffering stdout LineBuffering >> loop
  where
    loop = isEOF >>= \end -> if end then pure () else Strict.getLine >>= answer >> loop
    answer line = Lazy.putStrLn . encode $ case decode (Lazy.fromStrict line) >>= parseMaybe asked of
      Just (text, rule) ->
        let found = (if rule == ("URI" :: String) then parseURI else parseURIReference) text
         in object ["valid" .= maybe False (const True) found, "host" .= (uriRegName <$> (found >>= uriAuthority))]
      Nothing -> Null
    asked value = (,) <$> (value .: "text") <*> (value .: "rule")
